-- name: find
-- The process that holds the file.
select pid, command
from holder

-- name: set
insert into holder (id, pid, command, since)
values (1, @pid, @command, @since)
on conflict (id) do update
set pid = excluded.pid, command = excluded.command, since = excluded.since

-- name: clear
delete from holder
where pid = @pid
