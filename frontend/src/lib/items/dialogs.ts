/** Which dialog stands over the page, and what it is about. Each is loaded when it is first opened. */
import type { ItemOut, ReviewEntryOut, SavedOut, Scope } from '../api/schema';

export type Open =
  | { kind: 'add'; scope: Scope }
  | { kind: 'edit'; item: ItemOut; entry?: ReviewEntryOut }
  | { kind: 'details'; item: ItemOut }
  | { kind: 'delete'; item: ItemOut }
  | { kind: 'reject'; count: number; text?: string; run: (reason: string) => void; own: boolean }
  | { kind: 'confirm'; item: ItemOut }
  | { kind: 'import' }
  | { kind: 'export' }
  | { kind: 'settings' };

/** What a dialog tells the page that opened it. */
export type Done =
  | { kind: 'saved'; saved: SavedOut }
  | { kind: 'edited'; item: ItemOut; approve: boolean }
  | { kind: 'delete'; item: ItemOut }
  | { kind: 'confirmed'; item: ItemOut }
  | { kind: 'imported' };

export const dialogs = {
  add: () => import('./EditDialog.svelte'),
  edit: () => import('./EditDialog.svelte'),
  details: () => import('./DetailsDialog.svelte'),
  delete: () => import('./DeleteDialog.svelte'),
  reject: () => import('./RejectDialog.svelte'),
  confirm: () => import('./ConfirmDialog.svelte'),
  import: () => import('./ImportDialog.svelte'),
  export: () => import('./ExportDialog.svelte'),
  settings: () => import('./SettingsDialog.svelte'),
} as const;

/** What every dialog of this page gets. `switchTo` shows another one in its place. */
export type DialogProps = {
  open: Open;
  onclose: () => void;
  ondone: (done: Done) => void;
  switchTo: (open: Open) => void;
};
