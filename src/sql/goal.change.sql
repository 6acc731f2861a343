-- The goal with another name, value or position.
update goal
set name = @name,
  value_from = @value_from,
  value = @value,
  position = @position
where id = @id
