import { Reflector } from '@nestjs/core';
import type { Role } from './users.js';

/** The roles that may call a method; without it, everybody who is signed in may. */
export const Roles = Reflector.createDecorator<readonly Role[]>();
