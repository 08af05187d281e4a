/** Follows the text of an event stream to know whether it stands inside an event: fields were seen and no blank line since. */
export class EventBoundary {
  #hasField = false;
  /** First character of the line that is not over yet; empty where it has none. */
  #lineStart = '';
  #endsWithReturn = false;

  /** Whether the text so far ends with half of what may be a line break of two characters. */
  get endsWithReturn(): boolean {
    return this.#endsWithReturn;
  }

  get isInsideEvent(): boolean {
    return this.#hasField || isField(this.#lineStart);
  }

  observe(text: string): void {
    if (text === '') return;
    // A line break of two characters may be cut in two; its second half begins no line.
    const unbroken = this.#endsWithReturn && text.startsWith('\n') ? text.slice(1) : text;
    this.#endsWithReturn = text.endsWith('\r');
    unbroken.split(/\r\n|\r|\n/).forEach((line, index) => {
      if (index > 0) this.#endLine();
      if (this.#lineStart === '') this.#lineStart = line.charAt(0);
    });
  }

  #endLine(): void {
    if (this.#lineStart === '') this.#hasField = false;
    else if (isField(this.#lineStart)) this.#hasField = true;
    this.#lineStart = '';
  }
}

/** Comments, as keep-alives are, belong to no event. */
function isField(lineStart: string): boolean {
  return lineStart !== '' && lineStart !== ':';
}
