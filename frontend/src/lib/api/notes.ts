/** Notes, sealed. */
import { call, path } from './client';
import type { NoteOut } from './schema';

export const getNote = (workspace: string, id: string): Promise<NoteOut> =>
  call('GET', path`/workspaces/${workspace}/documents/${id}`);
