-- A session.
delete from login_session
where hash = @hash
