/** Whether a token works, and why not. The service decides; this is what is shown. */
import type { TokenOut } from '../api/schema';

export type Standing = 'works' | 'expired' | 'revoked';

export function standing(token: TokenOut, now: number = Date.now()): Standing {
  if (token.revoked_at) return 'revoked';
  return token.expires_at && new Date(token.expires_at).getTime() <= now ? 'expired' : 'works';
}
