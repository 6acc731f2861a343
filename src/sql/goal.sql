-- name: add
-- The new goal, the last unless its position is given.
insert into goal (name, kind, pattern, threshold, property, value_from, value, position, created_at)
values (
  @name, @kind, @pattern, @threshold, @property, @value_from, @value,
  ifnull(@position, (select ifnull(max(position), 0) + 1 from goal)),
  @created_at
)
returning id

-- name: change
-- The goal with another name, value or position.
update goal
set name = @name,
  value_from = @value_from,
  value = @value,
  position = @position
where id = @id

-- name: remove
-- The goal with its stored days.
delete from goal
where id = @id
