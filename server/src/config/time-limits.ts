const given = Number(process.env.TIME_LIMIT_FACTOR);

/**
 * Multiplies the time limits of requests, statements and threads, which assume a machine of usual speed: a much slower one
 * would end work that is only slow. `readConfig` rejects invalid values.
 */
export const TIME_LIMIT_FACTOR = Math.max(given || 1, 1);
