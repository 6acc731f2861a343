-- name: add
-- The new user.
insert into user (login, role, locale, password_hash, created_at, filters)
values (@login, @role, @locale, @password_hash, @created_at, @filters)
returning id, login, role, locale, start_page, created_at, filters

-- name: list
-- One user.
select id, login, role, locale, start_page, created_at, filters
from user
order by login

-- name: find
-- The user with this login, in whatever case.
select id, login, role, locale, start_page, created_at, filters
from user
where login = @login

-- name: count-role
-- How many users have the role.
select count(*) as users
from user
where role = @role

-- name: remove
-- A user; what belongs to them goes along.
delete from user
where id = @id

-- name: update
-- A user with what is given (not null) changed, and other filters.
update user
set role = ifnull(@role, role),
  locale = ifnull(@locale, locale),
  start_page = ifnull(@start_page, start_page),
  password_hash = ifnull(@password_hash, password_hash),
  filters = @filters
where id = @id
returning id, login, role, locale, start_page, created_at, filters

-- name: find-by-id
-- The user with this number.
select id, login, role, locale, start_page, created_at, filters
from user
where id = @id

-- name: first-password.add
insert or replace into installation (name, value)
values ('first_password', cast(@id as integer))

-- name: first-password.remove
delete from installation
where name = 'first_password'
  and value = @id

-- name: login-session.remove-of-user
-- A session of the user.
delete from login_session
where user_id = @user_id

-- name: login-device.remove-of-user
-- A device of the user.
delete from login_device
where user_id = @user_id

-- name: login-link.remove-of-user
-- A link of the user.
delete from login_link
where user_id = @user_id
