insert into installation (name, value)
values ('lasting_salt', @salt)
