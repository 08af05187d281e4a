/** The services that one `forFeature` declares; the root finds them all before it lets the application boot. */
export const EGRESS_FEATURE = Symbol.for('nestjs-palette:egress:FEATURE');
