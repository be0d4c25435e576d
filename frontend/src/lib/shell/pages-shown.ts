/** The pages of the navigation, for whom, and in which order. */
import FileText from '@lucide/svelte/icons/file-text';
import Layers from '@lucide/svelte/icons/layers';
import MessageSquare from '@lucide/svelte/icons/message-square';
import Plug from '@lucide/svelte/icons/plug';
import ScrollText from '@lucide/svelte/icons/scroll-text';
import Settings from '@lucide/svelte/icons/settings';
import Users from '@lucide/svelte/icons/users';
import type { Icon } from '../ui/icon';
import type { PageName } from '../state/pages';

export type Shown = { page: PageName; icon: Icon };

export const FIRST: readonly Shown[] = [
  { page: 'memory', icon: FileText },
  { page: 'items', icon: Layers },
  { page: 'assistant', icon: MessageSquare },
];

/** The audit log is an admin's; the other pages show each person what that person may see. */
export const manageShown = (isAdmin: boolean): readonly Shown[] => [
  { page: 'users', icon: Users },
  { page: 'connect', icon: Plug },
  { page: 'settings', icon: Settings },
  ...(isAdmin ? [{ page: 'audit', icon: ScrollText } as const] : []),
];
