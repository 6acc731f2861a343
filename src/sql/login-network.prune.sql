-- A network from which the user has not logged in for long.
delete from login_network
where user_id = @user_id
  and last_at <= @since
