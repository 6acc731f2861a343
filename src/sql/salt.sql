-- name: find
-- The salt of a day; 99991231: that of visitors who consented to be known on later days.
select salt
from day_salt
where day = @day

-- name: list
-- A day that has a salt.
select day, expires_at
from day_salt
order by day

-- name: add
insert into day_salt (day, salt, expires_at)
values (@day, @salt, @expires_at)

-- name: remove
delete from day_salt
where day = @day

-- name: visitor.forget-lasting
delete from visitor
where day = @day

-- name: destroy-expired
delete from day_salt
where expires_at <= @second

-- name: visitor.forget-before
-- Without its salt a hash identifies nobody; the visitor's number stays in sessions and views.
delete from visitor
where day < @day
