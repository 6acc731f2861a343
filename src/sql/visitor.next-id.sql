-- The number of the next visitor: never one that was used before.
select ifnull(max(seq), 0) + 1 as id
from sqlite_sequence
where name = 'visitor'
