/** Who acts, as far as it may be stored: never a token, never a header. */
export interface Principal {
  /** The application's stable id of the person or the machine. */
  readonly subject: string;
  readonly tenant?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
}

/** Only what a principal is defined to hold, whatever else the object carries. */
export function principalSnapshot({ subject, tenant, scopes }: Principal): Principal {
  return {
    subject,
    ...(tenant === undefined ? {} : { tenant }),
    ...(scopes === undefined ? {} : { scopes: [...scopes] }),
  };
}
