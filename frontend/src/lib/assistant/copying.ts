/** Copies a text, and says so where the browser does not allow it. */
import { t } from '../../i18n/shell';
import { toast } from '../ui/toasts.svelte';

export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    toast(t('copyFailed'));
    return false;
  }
}
