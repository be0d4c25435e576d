/** Invitations that can still be redeemed. No mail is sent: whoever invites passes the link on. */
import { call, path } from './client';
import type { InvitationOut, InvitationsOut, InviteIn, MadeLinkOut } from './schema';

export const listInvitations = async (workspace: string): Promise<InvitationOut[]> =>
  (await call<InvitationsOut>('GET', path`/workspaces/${workspace}/invitations`)).invitations;

/** The link is told this once. Raises `already_member`. */
export const invite = (workspace: string, body: InviteIn): Promise<MadeLinkOut> =>
  call('POST', path`/workspaces/${workspace}/invitations`, { body });

export const withdrawInvitation = (workspace: string, invitation: string): Promise<void> =>
  call('DELETE', path`/workspaces/${workspace}/invitations/${invitation}`);
