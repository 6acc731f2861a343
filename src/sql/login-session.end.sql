-- The session with this id, of this user or (null) of anybody.
delete from login_session
where uuid = @uuid
  and (@user_id is null or user_id = @user_id)
returning user_id
