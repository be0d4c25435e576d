/** The own account, its session, and one-time links. */
import { call } from './client';
import type { LinkFactsOut, MeOut, RedeemedOut, SignedInOut } from './schema';

export const getMe = (): Promise<MeOut> => call('GET', '/me');

export const signIn = (email: string, password: string): Promise<SignedInOut> =>
  call('POST', '/sign-in', { body: { email, password } });

export const signOut = (): Promise<void> => call('POST', '/sign-out', { body: {} });

export const linkFacts = (secret: string): Promise<LinkFactsOut> =>
  call('POST', '/links/facts', { body: { secret } });

export const redeemLink = (body: {
  secret: string;
  email?: string;
  name?: string;
  password?: string;
}): Promise<RedeemedOut> => call('POST', '/links/redeem', { body });
