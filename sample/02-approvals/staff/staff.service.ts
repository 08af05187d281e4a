import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import type { Principal } from 'nestjs-palette';

export type Role = 'clerk' | 'finance' | 'director';

/** Who works here. Nina talks to customers, Omar and Petra decide about money. */
export const STAFF: Readonly<Record<'nina' | 'omar' | 'petra', Role>> = {
  nina: 'clerk',
  omar: 'finance',
  petra: 'director',
};

/** The application's people, as it had them before any agent: who they are, and whether they may still act. */
@Injectable()
export class StaffService {
  readonly #roles = new Map<string, Role>(Object.entries(STAFF));
  readonly #suspended = new Set<string>();

  constructor(private readonly jwt: JwtService) {}

  /** Undefined for a token that is nobody's, or of somebody who has left. */
  async personOf(authorization: string | undefined): Promise<Principal | undefined> {
    try {
      const { name } = await this.jwt.verifyAsync<{ name: string }>((authorization ?? '').replace(/^Bearer /, ''));
      const role = this.#roles.get(name);
      return role && { subject: name, scopes: [role] };
    } catch {
      return undefined;
    }
  }

  /** What this person's requests carry; undefined for somebody who has left. */
  async authorizationOf(name: string): Promise<string | undefined> {
    return this.#roles.has(name) ? `Bearer ${await this.jwt.signAsync({ name })}` : undefined;
  }

  isSuspended(name: string): boolean {
    return this.#suspended.has(name);
  }

  suspend(name: string): void {
    this.#suspended.add(name);
  }

  leaves(name: string): void {
    this.#roles.delete(name);
  }
}
