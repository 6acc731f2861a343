insert or replace into installation (name, value)
values ('first_password', cast(@id as integer))
