-- A recovery code.
insert into recovery_code (hash, user_id)
values (@hash, @user_id)
