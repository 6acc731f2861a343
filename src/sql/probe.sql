-- name: health.check
-- One row, if the file can be read.
select count(*) as tables
from sqlite_schema

-- name: sqlite.version
-- The version of SQLite that runs.
select sqlite_version() as version
