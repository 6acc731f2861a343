-- name: salt.installation
-- The random name of the file.
select value
from installation
where name = 'id'

-- name: salt.is-marked
-- Present while the log may have salts of a version that kept them in the database.
select 1
from installation
where name = 'salts_in_log'

-- name: salt.unmark
delete from installation
where name = 'salts_in_log'
