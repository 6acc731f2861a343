-- The new goal, the last unless its position is given.
insert into goal (name, kind, pattern, threshold, property, value_from, value, position, created_at)
values (
  @name, @kind, @pattern, @threshold, @property, @value_from, @value,
  ifnull(@position, (select ifnull(max(position), 0) + 1 from goal)),
  @created_at
)
returning id
