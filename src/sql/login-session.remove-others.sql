-- A session of the user other than this one.
delete from login_session
where user_id = @user_id
  and hash is not @hash
