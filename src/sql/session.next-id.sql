-- The number that the next session gets: never one that was given before, also when all sessions were purged.
-- Those of other installations, which came with an archive, lie above.
select max(
  ifnull((select max(id) from session where id < 1099511627776), 0),
  ifnull((select value from installation where name = 'session_number'), 0)
) + 1 as id
