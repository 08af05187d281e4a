/**
 * What a server's `INFO` says that lets approvals and calls get lost, each with its repair; none where it says nothing of it.
 *
 * @param info the reply to `INFO`
 */
export function serverWarnings(info: string): readonly string[] {
  const fields = new Map(info.split(/\r?\n/).map((line) => line.split(':', 2) as [string, string | undefined]));
  const policy = fields.get('maxmemory_policy') ?? '';
  const warnings: string[] = [];
  if (policy.startsWith('allkeys-')) {
    warnings.push(
      `Redis evicts any key when its memory is full (maxmemory-policy ${policy}), and so approvals and calls. Set it to noeviction.`,
    );
  }
  if (fields.get('aof_enabled') === '0') {
    warnings.push(
      'Redis keeps no append-only file: when it ends, approvals and calls since its last snapshot are gone. Set appendonly to yes.',
    );
  }
  return warnings;
}
