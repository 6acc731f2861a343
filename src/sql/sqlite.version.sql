-- The version of SQLite that runs.
select sqlite_version() as version
