/** The own account, its session, and one-time links. */
import { call, path } from './client';
import type {
  ErasedOut,
  LinkFactsOut,
  MeOut,
  RedeemedOut,
  RedeemIn,
  SignedInOut,
  SignInSessionOut,
  SignInSessionsOut,
} from './schema';

export const getMe = (): Promise<MeOut> => call('GET', '/me');

export const signIn = (email: string, password: string): Promise<SignedInOut> =>
  call('POST', '/sign-in', { body: { email, password } });

export const signOut = (): Promise<void> => call('POST', '/sign-out', { body: {} });

export const linkFacts = (secret: string): Promise<LinkFactsOut> =>
  call('POST', '/links/facts', { body: { secret } });

export const redeemLink = (
  body: Partial<RedeemIn> & { secret: string; password: string },
): Promise<RedeemedOut> => call('POST', '/links/redeem', { body });

/** Where the account is signed in, the last used first. */
export const listSessions = async (): Promise<SignInSessionOut[]> =>
  (await call<SignInSessionsOut>('GET', '/me/sessions')).sessions;

export const endSession = (session: string): Promise<void> => call('DELETE', path`/me/sessions/${session}`);

/** The other sessions of the account end. Raises `sign_in_refused`, `too_many_attempts`. */
export const changePassword = (password: string, newPassword: string): Promise<void> =>
  call('POST', '/me/password', { body: { password, new_password: newPassword } });

/** Raises `sign_in_refused`, `too_many_attempts`, `last_admin`. */
export const deleteAccount = (password: string): Promise<ErasedOut> =>
  call('DELETE', '/me', { body: { password } });
