/** Hand a text to the browser as a file to save. */
export function saveAs(name: string, text: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const anchor = document.createElement('a');
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  // The browser has taken it over by the next turn.
  setTimeout(() => URL.revokeObjectURL(address));
}
