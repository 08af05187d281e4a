import type { ApplicationConfig } from '@nestjs/core';
import { DeadlineInterceptor } from '../enhancers/deadline.interceptor.js';
import { OperationAuditInterceptor } from '../enhancers/operation-audit.interceptor.js';
import { OperationIdentityGuard } from '../enhancers/operation-identity.guard.js';

const OURS = [OperationIdentityGuard, OperationAuditInterceptor, DeadlineInterceptor];

/** Whether the application has global enhancers besides those of this library, which every application has. */
export function hasGlobalEnhancers(config: ApplicationConfig): boolean {
  const enhancers: readonly object[] = [
    ...config.getGlobalGuards(),
    ...config.getGlobalRequestGuards(),
    ...config.getGlobalPipes(),
    ...config.getGlobalRequestPipes(),
    ...config.getGlobalInterceptors(),
    ...config.getGlobalRequestInterceptors(),
    ...config.getGlobalFilters(),
    ...config.getGlobalRequestFilters(),
  ];
  return enhancers.some((enhancer) => !OURS.some((our) => enhancer instanceof our));
}
