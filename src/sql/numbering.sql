-- name: session.next-id
-- The id of the next session: never one that was used before, even if all sessions were purged.
-- Sessions imported from an archive of another installation have higher ids.
select max(
  ifnull((select max(id) from session where id < 1099511627776), 0),
  ifnull((select value from installation where name = 'session_number'), 0)
) + 1 as id

-- name: visitor.next-id
-- The number of the next visitor: never one that was used before.
select ifnull(max(seq), 0) + 1 as id
from sqlite_sequence
where name = 'visitor'
