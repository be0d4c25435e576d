/** Put a text on the clipboard; whether that worked. `beside` is where a field may stand for a moment. */
export async function copied(text: string, beside: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copiedByField(text, beside);
  }
}

/** The old way, which is the only one over plain http. */
function copiedByField(text: string, beside: HTMLElement): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.className = 'for-readers';
  // What is copied is what is seen: blanks would be drawn together.
  field.style.whiteSpace = 'pre';
  beside.append(field);
  field.select();
  try {
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    field.remove();
  }
}
