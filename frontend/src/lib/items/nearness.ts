/** Tells elements apart that are near the window from those that are far: one observer for a whole list. */
export type Near = (element: Element, told: (isNear: boolean, height: number) => void) => () => void;

/** How far beside the window something is still near. */
const MARGIN = '900px 0px';

export function nearness(): Near {
  const watched = new Map<Element, (isNear: boolean, height: number) => void>();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const entry of entries)
        watched.get(entry.target)?.(entry.isIntersecting, entry.boundingClientRect.height);
    },
    { rootMargin: MARGIN },
  );
  return (element, told) => {
    watched.set(element, told);
    observer.observe(element);
    return () => {
      watched.delete(element);
      observer.unobserve(element);
    };
  };
}
