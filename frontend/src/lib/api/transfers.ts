/** Files of memory that go out and come in. */
import { call, path, send } from './client';
import type { ExportIn, ImportIn, ImportOut } from './schema';

/** The file as it comes: `Content-Length` and `Item-Count` are among the headers. */
export const exportMemory = (workspace: string, body: ExportIn, signal: AbortSignal): Promise<Response> =>
  send('POST', path`/workspaces/${workspace}/memory/export`, { body, signal });

export const importMemory = (workspace: string, body: ImportIn, signal: AbortSignal): Promise<ImportOut> =>
  call('POST', path`/workspaces/${workspace}/memory/import`, { body, signal });
