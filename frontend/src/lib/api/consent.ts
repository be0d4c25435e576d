/** Whether AI works in a workspace at all, and whether its skills are trusted. */
import { call, path } from './client';
import type { AiConsentIn, AiConsentOut, AssistantOut } from './schema';

export const getConsent = (workspace: string): Promise<AiConsentOut> =>
  call('GET', path`/workspaces/${workspace}/ai-consent`);

/** Raises `consent_conflict` with `enabled` and `current` when somebody else has changed it. */
export const changeConsent = (workspace: string, body: AiConsentIn): Promise<AiConsentOut> =>
  call('PUT', path`/workspaces/${workspace}/ai-consent`, { body });

export const trustSkills = (workspace: string, trusted: boolean): Promise<AiConsentOut> =>
  call('PUT', path`/workspaces/${workspace}/ai-consent/skills-trust`, { body: { trusted } });

/** The model, and what was used since midnight in UTC. */
export const getAssistant = (workspace: string): Promise<AssistantOut> =>
  call('GET', path`/workspaces/${workspace}/assistant`);
