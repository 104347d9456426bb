/** The two settings that the service needs. */
export const settingsFor = (databaseUrl: string) => ({
  DATABASE_URL: databaseUrl,
  MASTER_KEY: `test:${Buffer.alloc(32, 7).toString('base64')}`,
});
