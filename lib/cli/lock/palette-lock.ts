export const LOCKFILE_VERSION = 1;

/** What agents of an application may see, do and send, as it stands in version control. Keys are sorted. */
export interface PaletteLock {
  readonly lockfileVersion: typeof LOCKFILE_VERSION;
  readonly operations: Readonly<Record<string, OperationLock>>;
  readonly palettes: Readonly<Record<string, AgentLock>>;
  readonly egress: Readonly<Record<string, EgressLock>>;
}

/** One operation of the catalogue, in a palette or not. */
export interface OperationLock {
  readonly kind: string;
  /** `POST /v1/notes/list` */
  readonly route: string;
  readonly description: string;
  /** Hash of the JSON Schema of its input. */
  readonly schema: string;
}

/** One palette: what one agent may see and call. */
export interface AgentLock {
  readonly readOnly: boolean;
  /** The allow-list as it is written, in its own order; what it matched is `tools`. */
  readonly include: readonly string[];
  readonly tools: Readonly<Record<string, ToolLock>>;
}

export interface ToolLock {
  /** The operation that the tool calls. */
  readonly operation: string;
  readonly annotations: Readonly<Record<string, unknown>>;
  readonly arguments: Readonly<Record<string, 'required' | 'optional'>>;
  /** What may be asked of the rows, where the operation takes a query. */
  readonly policy?: PolicyLock;
  /** Hash of the JSON Schema of its arguments, with what the palette tells in a shared filter grammar. */
  readonly schema: string;
  /** Hash of all that a model is told: name, description, schema, annotations. */
  readonly definition: string;
}

/** A query policy as a palette enforces it. Fields are sorted; operators and functions stand by field. */
export interface PolicyLock {
  readonly sentence: string;
  readonly filterable: Readonly<Record<string, readonly string[]>>;
  readonly sortable: readonly string[];
  readonly aggregatable: Readonly<Record<string, readonly string[]>>;
  /** Every field that a row may hold. */
  readonly returnable: readonly string[];
  readonly maxSize: number;
}

/** One service that data may leave to. */
export interface EgressLock {
  readonly origin: string;
  readonly basePath: string;
  readonly sensitive: boolean;
  /** False, true, or by whom, why and when. */
  readonly acknowledged: unknown;
  /** `POST /v1/messages`, by the operation's name. */
  readonly operations: Readonly<Record<string, string>>;
}
