export const USAGE = `Usage: nestjs-palette <command> <module> [options]
       nestjs-palette migrate [options]

  inspect <module>               operations, palettes, egress, and what schemas leave open
  schema <module> <operation>    what a model is told of an operation (or of a tool, by its name)
  lock <module>                  writes palette.lock.json: what agents may see, do and send
  lock <module> --check          compares the application with the file; exit code 1 where they differ
  migrate                        creates the tables of PostgresAgentStore, or brings them up to this version

<module> is a built JavaScript file, "dist/app.module.js" or "dist/app.module.js#ExportName". The export is a module class,
a dynamic module, or a function that returns one. Without a name it is "AppModule", else the only module that the file
exports. Where the file also exports "configure(app)", it is called before anything is read: prefix, versioning.

  --json             inspect, schema, lock --check, migrate: JSON instead of text
  --file <path>      lock: the lockfile (default: palette.lock.json)
  --palette <name>   schema: as this palette tells it
  --url <url>        migrate: the database's connection string (default: the environment variable DATABASE_URL)
  --schema <name>    migrate: the schema that the tables are in (default: public)
  --boot             run the whole boot, with providers and their hooks (default: Nest's preview mode, which runs neither)
  --platform <name>  express or fastify (default: the one that is installed)
  --version, --help

Exit codes: 0 done or equal; 1 the lockfile and the application differ; 2 wrong usage; 3 the application does not boot;
4 the database does not answer, or refuses.
`;
