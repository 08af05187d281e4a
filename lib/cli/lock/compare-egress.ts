import type { EgressLock } from './palette-lock.js';
import { ChangeList, sideBySide, type SurfaceChange } from './surface-change.js';

type Services = Readonly<Record<string, EgressLock>>;

/** Changes of where data may leave to. */
export function compareEgress(before: Services, after: Services): readonly SurfaceChange[] {
  return sideBySide(before, after).flatMap((service) => {
    const list = new ChangeList(`egress service "${service.name}"`);
    if (service.before === undefined && service.after !== undefined) {
      list.add('gained', `is new: data may leave to ${destination(service.after)}`);
    } else if (service.after === undefined) list.add('lost', 'is gone');
    else if (service.before !== undefined) compareService(service.before, service.after, list);
    const routes = sideBySide(service.before?.operations ?? {}, service.after?.operations ?? {});
    for (const { name, before: old, after: now } of routes) {
      if (old === undefined) list.add('gained', `operation ${name}: ${now}`);
      else if (now === undefined) list.add('lost', `operation ${name}: ${old}`);
      else list.compare(`operation ${name}`, old, now);
    }
    return list.changes;
  });
}

function compareService(before: EgressLock, after: EgressLock, list: ChangeList): void {
  list.compare('goes to', place(before), place(after), 'gained');
  list.compare('sensitive', before.sensitive, after.sensitive, after.sensitive ? 'gained' : 'changed');
  list.compare('acknowledged', before.acknowledged, after.acknowledged);
}

function destination(service: EgressLock): string {
  const acknowledged = service.acknowledged === false ? 'not acknowledged' : 'acknowledged';
  return `${place(service)} (${service.sensitive ? 'sensitive' : 'not sensitive'}, ${acknowledged})`;
}

function place({ origin, basePath }: EgressLock): string {
  return basePath === '/' ? origin : `${origin}${basePath}`;
}
