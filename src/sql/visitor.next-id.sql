-- The number that the next visitor gets: never one that was given before.
select ifnull(max(seq), 0) + 1 as id
from sqlite_sequence
where name = 'visitor'
