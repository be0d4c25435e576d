/** Characters that nobody sees, as badges with their codes; and each line in the direction of its own first letter. */
import { type Extension, Prec, RangeSetBuilder } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  MatchDecorator,
  ViewPlugin,
  type ViewUpdate,
  WidgetType,
} from '@codemirror/view';
import { codeOf, hiddenIn, unusual } from '../memory/hidden-characters';

class Badges extends WidgetType {
  constructor(
    private readonly codes: readonly string[],
    private readonly label: string,
  ) {
    super();
  }

  override eq(other: Badges): boolean {
    return other.codes.join() === this.codes.join();
  }

  toDOM(): HTMLElement {
    const all = document.createElement('span');
    for (const code of this.codes) {
      const badge = document.createElement('span');
      badge.className = 'cm-hidden';
      badge.textContent = code;
      badge.title = this.label;
      badge.setAttribute('role', 'img');
      badge.setAttribute('aria-label', `${this.label} ${code}`);
      all.append(badge);
    }
    return all;
  }

  override ignoreEvent(): boolean {
    return false;
  }
}

/** `label` is what a hidden character is called in the chosen language. */
export function hiddenBadges(label: string): Extension {
  const decorator = new MatchDecorator({
    regexp: unusual(),
    decorate: (add, from, to, [found]) => {
      const hidden = hiddenIn(found);
      if (hidden.length) add(from, to, Decoration.replace({ widget: new Badges(hidden.map(codeOf), label) }));
    },
  });
  return ViewPlugin.define(
    (view) => ({
      decorations: decorator.createDeco(view),
      update(update: ViewUpdate) {
        this.decorations = decorator.updateDeco(update, this.decorations);
      },
    }),
    { decorations: (plugin) => plugin.decorations },
  );
}

const OWN_DIRECTION = Decoration.line({ attributes: { dir: 'auto' } });

function directionsOf(view: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const { from, to } of view.visibleRanges) {
    for (let at = from; at <= to;) {
      const line = view.state.doc.lineAt(at);
      builder.add(line.from, line.from, OWN_DIRECTION);
      at = line.to + 1;
    }
  }
  return builder.finish();
}

/** Right-to-left lines among others: the browser finds each line's direction, and the cursor follows it. */
export const lineDirections: Extension = [
  EditorView.perLineTextDirection.of(true),
  Prec.lowest(
    ViewPlugin.define(
      (view) => ({
        decorations: directionsOf(view),
        update(update: ViewUpdate) {
          if (update.docChanged || update.viewportChanged) this.decorations = directionsOf(update.view);
        },
      }),
      { decorations: (plugin) => plugin.decorations },
    ),
  ),
];
