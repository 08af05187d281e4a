/** The longest time a timer can hold, in milliseconds; a longer one would fire at once. */
export const MAX_TIMER_MS = 2_147_483_647;
