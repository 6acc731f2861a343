-- A device of the user that has not been used for long, or is none of the last ones used.
delete from login_device
where user_id = @user_id
  and (
    used_at <= @since
    or hash not in (
      select hash
      from login_device
      where user_id = @user_id
      order by used_at desc
      limit @keep
    )
  )
