/** What the palette offers: pages, other workspaces, and what works everywhere. Pages add their own with `offer`. */
import CircleHelp from '@lucide/svelte/icons/circle-question-mark';
import LogOut from '@lucide/svelte/icons/log-out';
import Search from '@lucide/svelte/icons/search';
import SunMoon from '@lucide/svelte/icons/sun-moon';
import Building from '@lucide/svelte/icons/building-2';
import UserRound from '@lucide/svelte/icons/user-round';
import { untrack } from 'svelte';
import { t } from '../../i18n/shell';
import { addressOf } from '../state/pages';
import { go } from '../state/router.svelte';
import { session } from '../state/session.svelte';
import { switchTheme } from '../state/theme.svelte';
import { workspace } from '../state/workspace.svelte';
import type { Command } from '../ui/Palette.svelte';
import { FIRST, manageShown } from './pages-shown';
import { signOutHere } from './sign-out';

const offered = $state<Command[][]>([]);

/** Add a page's own commands while it is shown: `$effect(() => offer([…]))`. */
export function offer(own: Command[]): () => void {
  // It reads the list to change it, and the effect that calls it is not to run again for that.
  untrack(() => offered.push(own));
  return () =>
    untrack(() => {
      const at = offered.findIndex((each) => each[0]?.label === own[0]?.label);
      if (at >= 0) offered.splice(at, 1);
    });
}

/** To the company's memory items that match what is typed; nowhere without a workspace. */
export const searchItems = (typed: string): Command | undefined =>
  workspace.id
    ? {
        label: t('searchItems', { text: typed }),
        icon: Search,
        run: () => {
          const query = new URLSearchParams({ tab: 'company', q: typed });
          go(`${addressOf(workspace.id, 'items')}?${query.toString()}`);
        },
      }
    : undefined;

export function commands(showHelp: () => void): Command[] {
  const pages = workspace.id ? [...FIRST, ...manageShown(workspace.isAdmin)] : [];
  return [
    ...offered.flat(),
    ...pages.map(({ page, icon }) => ({
      label: t(page),
      icon,
      run: () => go(addressOf(workspace.id, page)),
    })),
    { label: t('account'), icon: UserRound, run: () => go('/account') },
    ...session.me.workspaces
      .filter((each) => each.id !== workspace.id)
      .map((each) => ({
        label: `${t('workspace')}: ${each.name}`,
        icon: Building,
        run: () => go(addressOf(each.id, 'memory')),
      })),
    { label: t('switchTheme'), icon: SunMoon, run: switchTheme },
    { label: t('shortcuts'), icon: CircleHelp, run: showHelp },
    { label: t('signOut'), icon: LogOut, run: () => void signOutHere() },
  ];
}
