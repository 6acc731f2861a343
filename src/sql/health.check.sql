-- One row, if the file can be read.
select count(*) as tables
from sqlite_schema
