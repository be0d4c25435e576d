/** What is done with one member beyond its role and level; each asks or tells something in a dialog. */
export type Act = 'clients' | 'reset' | 'deactivate' | 'reactivate' | 'erase' | 'remove' | 'leave';
