import type { EgressManifestService } from '../../egress/index.js';
import type { TextSize } from '../../palette/index.js';
import type { ApplicationSurface } from '../application/application-surface.js';
import { textTable } from '../text-table.js';
import { inspectionOf, type InspectedPalette, type Inspection } from './inspection.js';

/** The answer of `inspect`, as text or as JSON. */
export function inspect(surface: ApplicationSurface, json: boolean): string {
  const inspection = inspectionOf(surface);
  if (json) return `${JSON.stringify(inspection, null, 2)}\n`;
  return [
    operationsText(inspection),
    ...inspection.palettes.map(paletteText),
    egressText(inspection),
    gapsText(inspection),
  ].join('\n');
}

function operationsText({ operations }: Inspection): string {
  const rows = operations.map(({ name, kind, route, palettes, inNoPaletteBecause }) => [
    name,
    kind,
    route,
    inNoPaletteBecause === undefined ? palettes.join(', ') : `none: ${inNoPaletteBecause}`,
  ]);
  return section(`Operations (${rows.length})`, ['name', 'kind', 'route', 'palettes'], rows);
}

function paletteText({ name, readOnly, include, tools, size }: InspectedPalette): string {
  const title = `Palette "${name}" (${readOnly ? 'read-only' : 'takes commands'}, ${count(tools.length, 'tool')}, ${sizeText(size)})`;
  const rows = tools.map((tool) => [tool.name, tool.operation, sizeText(tool.size)]);
  return `${section(title, ['tool', 'operation', 'size'], rows)}  includes: ${include.join(', ')}\n`;
}

function egressText({ egress }: Inspection): string {
  if (egress === null) {
    return 'Egress\n  Configured by EgressHttpModule.forRootAsync: only a boot tells. Add --boot.\n';
  }
  const rows = egress.flatMap((service) => [serviceRow(service), ...routeRows(service)]);
  return section(`Egress (${count(egress.length, 'service')})`, ['service', 'to', 'sensitive', 'acknowledged'], rows);
}

function serviceRow({ name, origin, basePath, sensitive, acknowledged }: EgressManifestService): string[] {
  const by = typeof acknowledged === 'object' ? `by ${acknowledged.by} on ${acknowledged.on}` : yesNo(acknowledged);
  return [name, basePath === '/' ? origin : `${origin}${basePath}`, yesNo(sensitive), by];
}

function routeRows({ name, operations }: EgressManifestService): string[][] {
  return operations.map((operation) => [`${name}.${operation.name}`, `${operation.method} ${operation.path}`, '', '']);
}

function gapsText({ operations }: Inspection): string {
  const rows = operations.flatMap(({ name, gaps }) => gaps.map(({ at, why }) => [name, at, why]));
  return section(`Left open by schemas (${rows.length})`, ['operation', 'where', 'why'], rows);
}

function section(title: string, header: readonly string[], rows: readonly (readonly string[])[]): string {
  return `${title}\n${rows.length === 0 ? '' : textTable(header, rows)}`;
}

function sizeText({ characters, tokens }: TextSize): string {
  return `${characters.toLocaleString('en-US')} characters, about ${tokens.toLocaleString('en-US')} tokens`;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

function yesNo(value: boolean): string {
  return value ? 'yes' : 'no';
}
