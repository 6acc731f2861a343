-- The process that holds the file.
select pid, command
from holder
