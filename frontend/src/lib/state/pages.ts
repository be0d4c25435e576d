/** Which page belongs to an address. Each is loaded when it is first shown. */
import type { Component } from 'svelte';

export type Page = { default: Component };
export type PageName = 'memory' | 'items' | 'assistant' | 'settings' | 'users' | 'connect' | 'audit';
export type Found =
  | { kind: 'start' }
  | { kind: 'alone'; load: () => Promise<Page>; signedIn: boolean }
  | { kind: 'in-workspace'; workspace: string; page: PageName; rest: string; load: () => Promise<Page> }
  | { kind: 'nothing' };

const inWorkspace: Record<PageName, () => Promise<Page>> = {
  memory: () => import('../../routes/Memory.svelte'),
  items: () => import('../../routes/Items.svelte'),
  assistant: () => import('../../routes/Assistant.svelte'),
  settings: () => import('../../routes/Settings.svelte'),
  users: () => import('../../routes/Users.svelte'),
  connect: () => import('../../routes/Connect.svelte'),
  audit: () => import('../../routes/Audit.svelte'),
};

/** The address of a page of a workspace; `rest` follows the page's name. */
export const addressOf = (workspace: string, page: PageName, rest = ''): string =>
  `/w/${workspace}/${page}${rest}`;

export function findPage(path: string): Found {
  const [first, ...others] = path.split('/').filter(Boolean);
  if (first === undefined) return { kind: 'start' };
  if (first === 'sign-in' && !others.length)
    return { kind: 'alone', load: () => import('../../routes/SignIn.svelte'), signedIn: false };
  if (first === 'accept' && !others.length)
    return { kind: 'alone', load: () => import('../../routes/Accept.svelte'), signedIn: false };
  if (first === 'account' && !others.length)
    return { kind: 'alone', load: () => import('../../routes/Account.svelte'), signedIn: true };
  const [workspace, page, ...rest] = others;
  if (first === 'w' && workspace && page && Object.hasOwn(inWorkspace, page))
    return {
      kind: 'in-workspace',
      workspace,
      page: page as PageName,
      rest: rest.join('/'),
      load: inWorkspace[page as PageName],
    };
  if (first === 'w' && workspace && !page) return { kind: 'start' };
  return { kind: 'nothing' };
}
