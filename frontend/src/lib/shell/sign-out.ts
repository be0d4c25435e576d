/** Signing out by hand: where it failed it is said, since the next person at this browser would be taken for this one. */
import { failure } from '../../i18n/failures';
import { t } from '../../i18n/shell';
import { leave } from '../state/session.svelte';
import { toast } from '../ui/toasts.svelte';

export async function signOutHere(): Promise<void> {
  try {
    await leave();
  } catch (error) {
    toast(`${t('signOutFailed')} ${failure(error)}`, { label: t('retry'), run: () => void signOutHere() });
  }
}
