/** Where a command runs and where its words go. */
export interface CommandIo {
  /** Folder that paths are relative to. */
  readonly cwd: string;
  /** What was asked for; nothing else goes there. */
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
}
