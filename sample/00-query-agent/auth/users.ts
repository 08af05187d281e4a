export type Role = 'analyst' | 'reader';

export interface User {
  readonly name: string;
  readonly role: Role;
}

/** Two people: an analyst may count notes, a reader may only read them. */
export const USERS = {
  ada: { name: 'ada', role: 'analyst' },
  ben: { name: 'ben', role: 'reader' },
} as const satisfies Record<string, User>;
