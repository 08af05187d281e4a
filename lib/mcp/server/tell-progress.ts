import type { ServerContext } from '@modelcontextprotocol/server';

/**
 * Tells a client that asked for progress that its call is still running: clients give up on calls that they hear nothing of.
 * Progress counts seconds; how many there will be is not known.
 *
 * @returns stops it
 */
export function tellProgress({ mcpReq }: ServerContext, intervalMs: number): () => void {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined || intervalMs === 0) return () => undefined;
  const start = performance.now();
  const timer = setInterval(() => {
    const progress = Math.round(performance.now() - start) / 1_000;
    const params = { progressToken, progress, message: `Running for ${Math.round(progress)} s` };
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => clearInterval(timer));
  }, intervalMs);
  return () => clearInterval(timer);
}
